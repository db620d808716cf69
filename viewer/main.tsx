import { render } from 'preact';
import { App } from './app.tsx';
import { loadReport } from './report/items.ts';
import { About, loadAbout } from './shared/about.ts';
import { TraceSource } from './trace/source.ts';

const place = document.getElementById('app') as HTMLElement;

async function start(): Promise<void> {
  try {
    const [about, data, trace] = await Promise.all([loadAbout(), loadReport(), TraceSource.load()]);
    place.replaceChildren();
    render(
      <About.Provider value={about}>
        <App data={data} trace={trace} />
      </About.Provider>,
      place,
    );
  } catch (error) {
    // An old browser, or a page that was cut short on its way.
    const words = document.createElement('p');
    words.className = 'failure';
    words.textContent = `This page cannot be shown: ${(error as Error).message}`;
    place.replaceChildren(words);
  }
}

void start();
