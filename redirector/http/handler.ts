/** A handler of requests, as uWebSockets.js takes it: both arguments are lent only during the call. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';

export type Handler = (res: HttpResponse, req: HttpRequest) => void;
