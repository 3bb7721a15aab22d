#!/usr/bin/env node
/** `kubectl_complete-evenkeel`: kubectl asks it for the words that may come after `kubectl evenkeel`. */
import { completeWords } from './completion/complete-words.ts';
import { wordTree } from './completion/word-tree.ts';
import { program } from './main.ts';

/** As kubectl's own commands end their answer: what follows is no file. */
const NO_FILES = ':4';

const candidates = completeWords(wordTree(program()), process.argv.slice(2));
const lines = candidates.map(({ word, says }) => (says === '' ? word : `${word}\t${says}`));
process.stdout.write(`${[...lines, NO_FILES].join('\n')}\n`);
