#!/usr/bin/env node
/** `kubectl_complete-evenkeel`: kubectl calls it to complete the words after `kubectl evenkeel`. */
import { complete } from './completion/complete.ts';
import { program } from './main.ts';

await complete(program(), process.argv.slice(2));
