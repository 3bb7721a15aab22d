/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './live.ts';
import { startRouting } from './location.ts';
import { applyTheme } from './theme.tsx';

applyTheme();
startClock();
startRouting();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
