/** The part of an S3 server for tests that is used here. */
declare module '@20minutes/s3rver' {
  import type Koa from 'koa';

  export default class S3rver extends Koa {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: [] }[];
    });
    run(): Promise<{ address: string; port: number }>;
  }
}
