/** The pages of the docs: title, description, headings and links of each, and the sections of the site. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** Folders of `docs/`, in the order of the site. Pages named here come first in their section; the others follow by title. */
const sections: readonly { readonly folder: string; readonly title: string; readonly first?: readonly string[] }[] = [
  { folder: 'start', title: 'Start', first: ['quick-start', 'connect-a-hub', 'hub-features'] },
  { folder: 'concepts', title: 'Concepts', first: ['overview'] },
  {
    folder: 'guides',
    title: 'Guides',
    first: [
      ...['failback', 'rebalance-policy', 'cluster-drain', 'graceful-reduction', 'zero-dip', 'move-budget'],
      ...['external-events', 'descheduler', 'scheduler', 'elastic-workload'],
      ...['plan', 'backtest', 'history', 'console', 'gitops', 'fleets'],
    ],
  },
  { folder: 'reference', title: 'Reference' },
  { folder: 'operations', title: 'Operations', first: ['runbook', 'objectives', 'upgrade', 'uninstall'] },
  { folder: 'proof', title: 'How it is proven', first: ['tests', 'guarantees'] },
  { folder: 'contributing', title: 'Contributing' },
  { folder: 'decisions', title: 'Decisions' },
];

/** Pages of the root and of other folders that are also on the site, by their path there. */
export const rootPages: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'contributing/architecture.md',
  'CONTRIBUTING.md': 'contributing/contributing.md',
  'functions/README.md': 'contributing/functions.md',
  'CHANGELOG.md': 'reference/changelog.md',
};

export interface DocPage {
  /** From the root of the repository. */
  readonly file: string;
  readonly title: string;
  /** The first sentence of the page, without a label such as **Context.** before it. */
  readonly description: string;
  /** Of its headings. */
  readonly anchors: readonly string[];
  /** Targets of relative links, as written. */
  readonly links: readonly string[];
}

const withoutCode = (text: string): string => text.replaceAll(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2 *$/gm, '');
const withoutMarkup = (text: string): string =>
  text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]|<!--.*?-->/g, '');

/** The anchor of a heading, as GitHub makes it: the site has the same, so that a link is valid in both. */
export function slugOf(heading: string): string {
  return withoutMarkup(heading)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** The parts of a Markdown text. Pure. */
export function docPage(file: string, markdown: string): DocPage {
  const text = withoutCode(markdown);
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
  const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title = '']) => withoutMarkup(title).trim());
  const [title = ''] = titles;
  if (titles.length !== 1) throw new Error(`${file}: must have one title (a line "# …"), has ${titles.length}`);
  const paragraph = /^# .+\n+((?:(?!- |[#|<])[^\n]+\n?)*)/m.exec(text)?.[1] ?? '';
  const [description = ''] =
    /^.*?[.?](?= |$)/.exec(
      withoutMarkup(paragraph.replace(/^\*\*[^*]+\.\*\* /, ''))
        .replaceAll('\n', ' ')
        .trim(),
    ) ?? [];
  const links = [
    ...text.replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[()[\]]/g, '')).matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
  return { file, title, description, anchors: headings.map((slug, i) => numbered(slug, headings.slice(0, i))), links };
}

/** GitHub numbers the anchors of equal headings. */
function numbered(slug: string, before: readonly string[]): string {
  const equal = before.filter((each) => each === slug).length;
  return equal === 0 ? slug : `${slug}-${equal}`;
}

/** Links of the page whose file or anchor does not exist. */
export function deadLinks(page: DocPage, isThere: (path: string) => boolean, pages: readonly DocPage[]): string[] {
  return page.links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page.file : join(dirname(page.file), path);
    if (!isThere(target)) return true;
    const to = pages.find(({ file }) => file === target);
    return anchor !== undefined && to !== undefined && !to.anchors.includes(anchor);
  });
}

const readPage = (file: string): DocPage => docPage(file, readFileSync(file, 'utf8'));

/** The pages of the site. */
export function readSitePages(): readonly DocPage[] {
  return [...globSync('docs/**/*.md').toSorted(), ...Object.keys(rootPages)].map(readPage);
}

/** A page's path on the site, without ending. */
export function sitePath(file: string): string {
  return `/${(rootPages[file] ?? file.replace(/^docs\//, '')).replace(/(^|\/)index\.md$|\.md$/, '$1')}`;
}

interface SidebarSection {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The sidebar of the site: each folder is a section, each page of it an entry. Pure. */
export function sidebarOf(pages: readonly DocPage[]): readonly SidebarSection[] {
  return sections.map(({ folder, title, first = [] }) => {
    const rank = (link: string): number => {
      const at = first.indexOf(link.slice(folder.length + 2));
      return at < 0 ? first.length : at;
    };
    const items = pages
      .map((page) => ({ text: page.title, link: sitePath(page.file) }))
      .filter(({ link }) => link.startsWith(`/${folder}/`))
      .toSorted((a, b) =>
        folder === 'decisions'
          ? a.link.localeCompare(b.link)
          : rank(a.link) - rank(b.link) || a.text.localeCompare(b.text),
      );
    return { text: title, collapsed: folder === 'decisions', items };
  });
}
