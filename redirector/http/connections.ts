/**
 * Whether each request's peer must be checked. Reading a connection's peer address costs a system call and a buffer: 2
 * µs of a scan's 10. Behind proxies it only shows that the peer is a trusted one. So peers are checked when they
 * connect: if every open connection is a trusted proxy's, so is every request. Once another client has connected,
 * requests are checked one by one until no connection is open.
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
