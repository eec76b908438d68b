// npm start: builds the package, then opens the lab. Arguments go to `nearfield lab` (npm start -- --no-open).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

console.log('Building nearfield and the lab: about half a minute, or more on a small machine.');
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

process.argv.splice(2, 0, 'lab');
await import('../dist/cli/main.js');
