/** The script of a content page. */
import { enliven } from './enliven.js';

enliven();
