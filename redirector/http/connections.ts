/**
 * Whether the peer of a request has to be looked at. The address of a connection's peer costs a system call and a
 * buffer, 2 µs of a scan's 10; behind proxies it says only that the peer is a trusted one. So peers are looked at when
 * they connect: as long as every open connection was opened by a trusted proxy, so was that of any request. Once
 * anybody else has connected, requests are looked at one by one, until no connection is open any more.
 */
export interface Connections {
  /** True while every open connection is a trusted proxy's. */
  readonly allTrusted: boolean;
  readonly open: number;
  opened(trusted: boolean): void;
  closed(): void;
}

export const createConnections = (): Connections => {
  let open = 0;
  let mixed = false;
  return {
    get allTrusted() {
      return !mixed;
    },
    get open() {
      return open;
    },
    opened(trusted) {
      open++;
      if (!trusted) mixed = true;
    },
    closed() {
      open--;
      if (open === 0) mixed = false;
    },
  };
};
