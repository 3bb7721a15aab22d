#!/usr/bin/env node
/** `evenkeel`: starts the command line. */
import module from 'node:module';

// Caches the compiled code in the system's temporary folder, which halves the start time. Needs Node 22.8.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await import('./main.ts');

process.exitCode = await main(process.argv);
