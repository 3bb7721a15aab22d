#!/usr/bin/env node
/** `kubectl_complete-evenkeel`: kubectl calls it to complete the words after `kubectl evenkeel`. */
import { completeWords, wordTree } from './completion/word-tree.ts';
import { program } from './main.ts';

/** As in kubectl's own completion: no file names are completed. */
const NO_FILES = ':4';

const candidates = completeWords(wordTree(program()), process.argv.slice(2));
const lines = candidates.map(({ word, description }) => (description === '' ? word : `${word}\t${description}`));
process.stdout.write(`${[...lines, NO_FILES].join('\n')}\n`);
