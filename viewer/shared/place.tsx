import { useContext } from 'preact/hooks';
import { sourcePlace } from '../../src/check/source-place.ts';
import { About, editorAddress } from './about.ts';
import { placeWords } from './words.ts';

/** A place, cut at the front where there is little room, and never its line. */
export function Place({ location }: { location: string }) {
  const place = sourcePlace(location);
  if (place === null) return <bdi>{placeWords(location)}</bdi>;
  const { path } = place;
  const file = path.lastIndexOf('/') + 1;
  return (
    <span class="place" title={location}>
      <span class="place-folder">
        <bdi>{path.slice(0, file)}</bdi>
      </span>
      <span class="place-file">
        <bdi>{path.slice(file)}</bdi>
      </span>
      <span class="place-line">{location.slice(path.length)}</span>
    </span>
  );
}

/** The same as a link to the reader's editor, where there is one for it. */
export function PlaceLink({ location, isProgram }: { location: string; isProgram: boolean }) {
  const address = editorAddress(useContext(About), location);
  if (address === null || !isProgram) return <Place location={location} />;
  return (
    <a class="place-link" href={address} title={`Open ${location} in the editor`}>
      <Place location={location} />
    </a>
  );
}
