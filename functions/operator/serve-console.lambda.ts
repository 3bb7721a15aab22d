/** Serves the page of a deployment to whoever is logged in. */
import { folderBeside, onConsole } from '../../shared/edge/console-handler.ts';

export const handler = onConsole(folderBeside(import.meta.dirname));
