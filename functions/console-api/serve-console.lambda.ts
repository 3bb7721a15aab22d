/** Serves the page of a deployment to logged-in users. */
import { folderBeside, onConsole } from '../../shared/console-api/console-handler.ts';

export const handler = onConsole(folderBeside(import.meta.dirname));
