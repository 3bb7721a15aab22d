/** The practice hub's API without HTTP: passes a request to the store, and returns the response. */
import type { Instant } from '../../../shared/core/time.ts';
import type { ApiStore } from '../store/object-store.ts';
import { ListPages } from './list-pages.ts';
import { get, list } from './reads.ts';
import { type RepresentedKind, showObject, showPage } from './representations.ts';
import { methodNotAllowed, type PracticeRequest } from './request.ts';
import { create, patch, type Reply, remove, update } from './writes.ts';

export interface ApiAnswer {
  readonly code: number;
  readonly body: object;
  readonly warnings: readonly string[];
}

export interface RequestsOptions {
  readonly store: ApiStore;
  readonly now: () => Instant;
  /** Names the lists whose further pages are kept. */
  readonly newId: () => string;
}

export class Requests {
  readonly #store: ApiStore;
  readonly #pages: ListPages;

  constructor({ store, now, newId }: RequestsOptions) {
    this.#store = store;
    this.#pages = new ListPages(now, newId);
  }

  /** Executes the request. Throws a StatusError if it is rejected. */
  perform(request: PracticeRequest, view: RepresentedKind): ApiAnswer {
    switch (request.verb) {
      case 'get':
        return { code: 200, body: showObject(view, get(this.#store, request)), warnings: [] };
      case 'list':
        return { code: 200, body: showPage(view, list(this.#store, this.#pages, request)), warnings: [] };
      case 'create':
        return shown(create(this.#store, request), view);
      case 'update':
        return shown(update(this.#store, request), view);
      case 'patch':
        return shown(patch(this.#store, request), view);
      case 'delete':
        return shown(remove(this.#store, request), view);
      case 'watch':
      case 'deletecollection':
        throw methodNotAllowed();
    }
  }
}

function shown(reply: Reply, view: RepresentedKind): ApiAnswer {
  const body = 'object' in reply ? showObject(view, reply.object) : reply.status;
  return { code: reply.code, body, warnings: reply.warnings };
}
