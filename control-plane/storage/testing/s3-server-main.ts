/** The process of an S3 server for tests: `s3-server-main.ts <folder> <port> <bucket>`. It prints a line when it listens. */
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
// A listing is asked of `/<bucket>/`. The signature is of the path as it was sent, and this server leaves the last slash out.
server.middleware.unshift((ctx, next) => {
  if (ctx.path.endsWith('/'))
    ctx.app = Object.create(ctx.app, { allowMismatchedSignatures: { value: true } });
  return next();
});
await server.run();
console.log('listening');
// Without its parent nobody would end it.
process.stdin.resume().on('end', () => process.exit(0));
