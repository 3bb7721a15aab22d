/** The current route: the page's address as a signal. */
import { signal } from '@preact/signals';
import { hrefOf, type PageRoute, parseRoute } from './route.ts';

export const route = signal<PageRoute>({ page: 'home' });

export function startRouting(): void {
  const read = (): void => {
    route.value = parseRoute(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

export function goTo(to: Exclude<PageRoute, { page: 'unknown' }>): void {
  location.hash = hrefOf(to);
}

/** Replaces the history entry, so that Back skips this address. */
export function replaceBy(to: Exclude<PageRoute, { page: 'unknown' }>): void {
  location.replace(hrefOf(to));
}
