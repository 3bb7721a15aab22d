/** The current route: the page's address as a signal. */
import { signal } from '@preact/signals';
import { hrefOf, parseRoute, type Route } from './route.ts';

export const route = signal<Route>({ page: 'home' });

export function startRouting(): void {
  const read = (): void => {
    route.value = parseRoute(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

export function goTo(to: Exclude<Route, { page: 'unknown' }>): void {
  location.hash = hrefOf(to);
}

/** Replaces the history entry, so that Back skips this address. */
export function replaceBy(to: Exclude<Route, { page: 'unknown' }>): void {
  location.replace(hrefOf(to));
}
