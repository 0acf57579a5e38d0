/** `npm run generate:kinds`: writes the structure of the built-in kinds, from the real server and its Go types. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectFacts } from '../interop/kinds/facts.ts';
import { generatedFolder, generateFiles } from '../interop/kinds/generate.ts';

const files = await generateFiles(await collectFacts((line) => console.log(line)));
mkdirSync(generatedFolder, { recursive: true });
for (const old of readdirSync(generatedFolder)) {
  if (!files.has(old)) rmSync(join(generatedFolder, old));
}
for (const [name, content] of files) writeFileSync(join(generatedFolder, name), content);
console.log(`${files.size} files in ${generatedFolder}`);
