/** The control plane's process. */
import { runProcess } from '#shared/lifecycle.ts';
import { startControlPlane } from './app.ts';

await runProcess('control-plane', startControlPlane);
