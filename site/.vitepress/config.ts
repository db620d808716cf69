import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** The pages of a folder, the ones named first in front, each by its own title. */
function pagesOf(folder: string, ...first: string[]): DefaultTheme.SidebarItem[] {
  const pages = readdirSync(DOCS + folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const rank = (page: string) => (first.includes(page) ? first.indexOf(page) : first.length);
  pages.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  return pages.map((page) => ({ text: titleOf(`${folder}/${page}`), link: `/${folder}/${page}` }));
}

function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(DOCS + page, 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${page} has no title: a first line such as "# Schedules"`);
  return title.replaceAll('`', '');
}

const isModule = ({ link }: DefaultTheme.SidebarItem) => !link?.endsWith('/index.md');

export default defineConfig({
  title: 'Trackside',
  description: 'Finds the interleavings that break code meant to be atomic.',
  srcDir: '../docs',
  outDir: './dist',
  cacheDir: './.cache',
  rewrites: { 'reference/analyses/README.md': 'reference/analyses/index.md' },
  // Links that leave docs/ lead to files of the repository, which the site does not hold.
  ignoreDeadLinks: [/^(?:\.\/)?(?:\.\.\/)+(?:examples|src|bench|scripts|CONTRIBUTING|README|CHANGELOG)/],
  // The pages lie outside of this package, where Node would not find its dependencies.
  vite: {
    resolve: {
      alias: [
        { find: /^vue\/server-renderer$/, replacement: `${MODULES}@vue/server-renderer` },
        { find: /^vue$/, replacement: `${MODULES}vue` },
      ],
    },
  },
  markdown: {
    languageAlias: { trk: 'log' },
    config(md) {
      // `${{ … }}` of a workflow is text, not a template of Vue.
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index].content)}</code>`;
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Tutorial', link: '/tutorial/bank' },
      { text: 'Reference', link: '/reference/commands' },
    ],
    sidebar: [
      { text: 'Tutorial', items: pagesOf('tutorial') },
      { text: 'How to', items: pagesOf('how-to', 'ci.md', 'false-alarms.md', 'testing.md', 'scheduling.md') },
      { text: 'Reference', items: pagesOf('reference', 'commands.md', 'javascript.md', 'config.md') },
      {
        text: 'Analyses',
        collapsed: true,
        items: [
          { text: 'Which one to choose', link: '/reference/analyses/' },
          ...pagesOf('reference/analyses'),
        ],
      },
      {
        text: 'Library API',
        collapsed: true,
        items: [{ text: 'Modules', link: '/reference/api/' }, ...pagesOf('reference/api').filter(isModule)],
      },
      { text: 'Trace formats', collapsed: true, items: pagesOf('reference/formats', 'std.md', 'trk.md') },
      { text: 'Explanation', items: pagesOf('explanation', 'semantics.md', 'architecture.md') },
      { text: 'Appendix', collapsed: true, items: pagesOf('appendix') },
    ],
  },
});
