#!/usr/bin/env node
/** `genenv`, the process. */
import { runProgram } from './program.ts';

// A reader that has seen enough (`genenv runs | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

await runProgram(process.argv.slice(2));
