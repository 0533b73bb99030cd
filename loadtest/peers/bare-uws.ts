/**
 * The floor: uWebSockets.js answering every request with the same redirect. It reads nothing and records nothing. Its
 * arguments: a port, and for TLS the files of the certificate and its key.
 */
import { App, SSLApp } from 'uWebSockets.js';

const [port, certificateFile, keyFile] = process.argv.slice(2);

const app =
  certificateFile && keyFile ? SSLApp({ cert_file_name: certificateFile, key_file_name: keyFile }) : App();

app
  .get('/r/:id', (res) => {
    res
      .writeStatus('302 Found')
      .writeHeader('Location', 'https://example.com/landing/page?code=123456789')
      .end();
  })
  .listen('127.0.0.1', Number(port), (socket) => {
    if (!socket) throw new Error(`cannot listen on port ${port}`);
  });
