/**
 * The process of an S3 server for tests: `s3-server-main.ts <folder> <port> <bucket>`. It prints a line when it
 * listens.
 */
import S3rver from '@20minutes/s3rver';

const [directory, port, bucket] = process.argv.slice(2) as [string, string, string];

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket, configs: [] }],
});
// Listings are requested at `/<bucket>/`. The signature covers the path as sent, and this server drops the trailing
// slash.
server.middleware.unshift((ctx, next) => {
  if (ctx.path.endsWith('/'))
    ctx.app = Object.create(ctx.app, { allowMismatchedSignatures: { value: true } });
  return next();
});
await server.run();
console.log('listening');
// Ends when its parent is gone.
process.stdin.resume().on('end', () => process.exit(0));
