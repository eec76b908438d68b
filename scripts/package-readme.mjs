// The README for the package's page on npm, which knows no relative links: those to files in the package become absolute,
// those to other files of the repository plain text. prepack writes it, postpack puts the repository's back.
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const readme = fileURLToPath(new URL('README.md', root));
const kept = fileURLToPath(new URL('dist/README.repository.md', root));

/** `isPacked` says which files of the repository are in the package. */
export function packageReadme(text, version, isPacked) {
  return text.replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (link, image, label, target) => {
    if (/^([a-z]+:|#)/.test(target)) return link;
    const [path, anchor] = target.split('#');
    if (!isPacked(path)) return label;
    return `${image}[${label}](https://unpkg.com/nearfield@${version}/${path}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--restore')) {
    if (existsSync(kept)) renameSync(kept, readme);
  } else {
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    copyFileSync(readme, kept);
    writeFileSync(
      readme,
      packageReadme(readFileSync(readme, 'utf8'), version, (path) => /^(docs\/|CHANGELOG|LICENSE)/.test(path)),
    );
  }
}
