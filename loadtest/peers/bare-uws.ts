/** The floor: uWebSockets.js answering every request with the same redirect. It reads nothing and records nothing. */
import { App } from 'uWebSockets.js';

const port = Number(process.argv[2]);

App()
  .get('/r/:id', (res) => {
    res
      .writeStatus('302 Found')
      .writeHeader('Location', 'https://example.com/landing/page?code=123456789')
      .end();
  })
  .listen('127.0.0.1', port, (socket) => {
    if (!socket) throw new Error(`cannot listen on port ${port}`);
  });
