#!/usr/bin/env node
// The nearfield command as a process: its arguments, its exit code, its pipe.
import { runCommand } from './command.js';

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCommand(process.argv.slice(2));
