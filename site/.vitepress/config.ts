/** The docs site: the Markdown files of docs/ and a few of the root, with the sidebar that follows from the folders. */
import { cpSync, existsSync, globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { readSitePages, rootPages, sidebarOf, sitePath, slugOf } from '../../scripts/doc-pages.ts';

/** `npm run site` runs here. */
const root = process.cwd();
const pages = readSitePages();
const pageFiles = new Set(pages.map(({ file }) => file));

/** Files outside the site that its pages link to, such as examples: copied beside the pages. */
const linkedFiles = new Set<string>();

/** Where a link of a page leads on the site; undefined for a folder of the repository, which the site does not have. */
function hrefOf(file: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = join(dirname(file), path);
  if (pageFiles.has(target)) return `${sitePath(target)}${anchor === undefined ? '' : `#${anchor}`}`;
  if (!existsSync(target)) throw new Error(`${file}: ${link} does not exist`);
  if (statSync(target).isDirectory()) return undefined;
  linkedFiles.add(target);
  return `/files/${target}`;
}

interface Token {
  type: string;
  tag: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface MarkdownIt {
  core: {
    ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: { path: string; realPath?: string } }) => void): void;
    };
  };
}

/** Links are relative to files of the repository, as on GitHub; here they become paths of the site. */
function rewriteLinks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = (env.realPath ?? env.path).slice(root.length + 1);
    for (const { children } of tokens)
      for (const [i, token] of (children ?? []).entries()) {
        const link = token.type === 'link_open' ? token.attrGet('href') : null;
        if (link === null || /^(?:[a-z]+:|#)/.test(link)) continue;
        const href = hrefOf(file, link);
        if (href === undefined) unlink(children ?? [], i);
        else token.attrSet('href', href);
        if (href?.startsWith('/files/')) token.attrSet('target', '_self');
      }
  });
}

/** The text of a link, without the link. */
function unlink(tokens: Token[], at: number): void {
  for (const token of [tokens[at], tokens.slice(at).find(({ type }) => type === 'link_close')])
    if (token !== undefined) Object.assign(token, { type: 'text', tag: '', content: '' });
}

export default {
  title: 'Evenkeel',
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  srcDir: '..',
  srcExclude: ['!(docs|functions)/**/*', ...globSync('*.md').filter((file) => rootPages[file] === undefined)],
  rewrites: { ...rootPages, 'docs/:path*': ':path*' },
  transformPageData: ({ filePath }: { filePath: string }) => {
    const page = pages.find(({ file }) => file === filePath);
    return page === undefined ? {} : { title: page.title, description: page.description };
  },
  markdown: {
    anchor: { slugify: slugOf },
    config: rewriteLinks,
  },
  buildEnd: ({ outDir, pages: built }: { outDir: string; pages: readonly string[] }) => {
    const missing = pages.filter(({ file }) => !built.includes(file));
    if (missing.length > 0 || built.length > pages.length)
      throw new Error(`srcExclude: of ${pages.length} pages, ${missing.length} are missing; ${built.length} are built`);
    for (const file of linkedFiles) cpSync(file, join(outDir, 'files', file));
    cpSync('console/public/favicon.svg', join(outDir, 'favicon.svg'));
  },
  themeConfig: {
    sidebar: sidebarOf(pages),
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/guides/failback' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Runbook', link: '/operations/runbook' },
    ],
  },
};
