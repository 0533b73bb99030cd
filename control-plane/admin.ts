/**
 * The operator's command line: `npm run --silent admin -- <verb> …`. Results are JSON lines. Exit codes: 0 done, 1 failed, 2
 * wrong usage.
 */
import { callAdmin } from './admin/call.ts';

process.exitCode = await callAdmin(process.argv.slice(2), {
  environment: process.env,
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
});
