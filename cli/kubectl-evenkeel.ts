#!/usr/bin/env node
/** `kubectl evenkeel`: the same commands as a plugin, which kubectl finds by the name of this command. */
import { main } from './main.ts';

process.exitCode = await main(process.argv, 'kubectl evenkeel');
