/** Each page of the docs has a title and a description, is in the sidebar of the site once, and links to files and headings that exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deadLinks, docPage, readSitePages, sidebarOf, sitePath, slugOf } from '../../scripts/doc-pages.ts';

const sitePages = readSitePages();
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
  .map((file) => docPage(file, readFileSync(file, 'utf8')));

describe('links of the docs', () => {
  it('are found in every Markdown file of the repository', () => {
    expect(pages.length).toBeGreaterThan(70);
    expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(300);
  });

  it.each(pages.map((page) => [page.file, page] as const))('of %s lead to existing files and headings', (_, page) => {
    expect(deadLinks(page, existsSync, pages)).toEqual([]);
  });

  it('are dead if the file or the heading does not exist, also on the same page', () => {
    const target = docPage(
      'docs/b.md',
      '# B\n\nText.\n\n## Same\n\n## Same\n\n```sh\n# no heading\n[no](link.md)\n```\n',
    );
    const page = docPage(
      'docs/a.md',
      '# A\n\n[1](b.md) [2](b.md#same-1) [3](#a) [4](c.md) [5](b.md#same-2) [6](#b) [7](b.md#no-heading) [8](https://x.dev)\n',
    );
    const isThere = (path: string) => ['docs/a.md', 'docs/b.md'].includes(path);
    expect(deadLinks(page, isThere, [page, target])).toEqual(['c.md', 'b.md#same-2', '#b', 'b.md#no-heading']);
    expect(deadLinks(target, isThere, [page, target])).toEqual([]);
  });

  it.each([
    ['By pressure, and by price', 'by-pressure-and-by-price'],
    ["What's `spec.x`: [a link](b.md)?", 'whats-specx-a-link'],
    ['3. Send the audit events', '3-send-the-audit-events'],
  ])('have the anchor of GitHub for the heading %s', (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor);
  });
});

describe('a page of the site', () => {
  it.each(sitePages.map(({ file, title, description }) => [file, title, description]))(
    '%s has one title and begins with a sentence, its description',
    (_, title, description) => {
      expect(title).not.toBe('');
      expect(description).toMatch(/^\S.{20,}[.?]$/);
    },
  );

  it('is rejected without a title, or with two', () => {
    expect(() => docPage('docs/a.md', 'Text.\n')).toThrow('docs/a.md: must have one title (a line "# …"), has 0');
    expect(() => docPage('docs/a.md', '# A\n\n# B\n')).toThrow('has 2');
  });

  it('is in the sidebar once, except the start page', () => {
    const links = sidebarOf(sitePages).flatMap(({ items }) => items.map(({ link }) => link));
    expect(links.toSorted()).toEqual(
      sitePages
        .map(({ file }) => sitePath(file))
        .filter((path) => path !== '/')
        .toSorted(),
    );
  });
});
