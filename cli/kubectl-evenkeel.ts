#!/usr/bin/env node
/** `kubectl evenkeel`: the same commands, found by kubectl as a plugin because of the name of this file's command. */
import { main } from './main.ts';

process.exitCode = await main(process.argv, 'kubectl evenkeel');
