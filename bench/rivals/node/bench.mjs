// Subjects of npm: rounds timed in CPU seconds, memory watched, one line of JSON at the end; see ../python/harness.py.
//
//     node bench.mjs SUBJECT INPUT ROUNDS WARM [--answer FILE] [--to FOLDER] [--address URL]

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { Readable } from 'node:stream';
import { XMLParser } from 'fast-xml-parser';
import { SitemapStream, SitemapIndexStream, XMLToSitemapItemStream } from 'sitemap';
import Sitemapper from 'sitemapper';

const FILE = 50_000;
const BASE = 'https://shop.example/';
const [subject, input, rounds, warm, ...rest] = process.argv.slice(2);
const option = (name) => rest[rest.indexOf(name) + 1 || rest.length];
const memory = (what) => Number(fs.readFileSync('/proc/self/status', 'ascii').match(`${what}:\\s+(\\d+)`)[1]);
const words = (value) => (value === undefined || value === null ? '' : String(value));
const four = (row) => [row.loc ?? row.url, row.lastmod, row.changefreq, row.priority].map(words);
const named = 'loc\tlastmod\tchangefreq\tpriority';
const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

// A stream as one is told to read it, in chunks as a file gives them.
function* chunks(data) {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536);
}

async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.from(parts.join(''));
}

const readers = {
  // What parseSitemap does, without its log.
  sitemap: (data) => async () => {
    const items = [];
    const stream = Readable.from(chunks(data)).pipe(new XMLToSitemapItemStream({ logger: false }));
    for await (const item of stream) items.push(item);
    return items;
  },
  sitemapper: () => async () => {
    const fields = { loc: true, lastmod: true, changefreq: true, priority: true };
    const { sites } = await new Sitemapper({ url: option('--address'), timeout: 60_000, fields }).fetch();
    return sites;
  },
  'fast-xml-parser': (data) => async () => {
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, isArray: (name) => name === 'url' });
    return parser.parse(data).urlset.url;
  },
};

const answers = {
  sitemap: (items) => [
    `${named}\timages\tvideos\tnews\talternates`,
    items.map((item) => [
      ...four(item),
      (item.img ?? []).map((image) => image.url).join(' '),
      (item.video ?? []).map((video) => video.title).join(' '),
      words(item.news?.title),
      (item.links ?? []).map((link) => `${link.lang} ${link.url}`).join(' '),
    ]),
  ],
  sitemapper: (items) => [named, items.map(four)],
  'fast-xml-parser': (items) => [
    `${named}\timages\tvideos\tnews\talternates`,
    items.map((item) => [
      ...four(item),
      list(item['image:image']).map((image) => image['image:loc']).join(' '),
      list(item['video:video']).map((video) => video['video:title']).join(' '),
      words(item['news:news']?.['news:title']),
      list(item['xhtml:link']).map((link) => `${link['@_hreflang']} ${link['@_href']}`).join(' '),
    ]),
  ],
};

function rows() {
  const [head, ...lines] = fs.readFileSync(input, 'utf8').trimEnd().split('\n');
  const at = Object.fromEntries(head.split('\t').map((name, number) => [name, number]));
  return lines.map((line) => {
    const cells = line.split('\t');
    return {
      url: cells[at.loc],
      lastmod: cells[at.lastmod],
      changefreq: cells[at.changefreq],
      priority: Number(cells[at.priority]),
    };
  });
}

// A file of the package's stream, compressed in one piece: its own way, a gzip stream behind, costs more than ten times as much.
const writer = (packed) => () => {
  const items = rows();
  const folder = option('--to');
  return async () => {
    const names = [];
    for (let at = 0; at < items.length; at += FILE) {
      const stream = new SitemapStream();
      Readable.from(items.slice(at, at + FILE)).pipe(stream);
      const data = await collect(stream);
      const name = `sitemap-${String(names.length + 1).padStart(5, '0')}.xml${packed ? '.gz' : ''}`;
      fs.writeFileSync(path.join(folder, name), packed ? zlib.gzipSync(data, { level: 6 }) : data);
      names.push(name);
    }
    const index = new SitemapIndexStream();
    Readable.from(names.map((name) => ({ url: BASE + name }))).pipe(index);
    fs.writeFileSync(path.join(folder, 'sitemap.xml'), await collect(index));
    return items;
  };
};
const writers = { 'sitemap-write': writer(false), 'sitemap-write-gz': writer(true) };

const work = writers[subject] ? writers[subject]() : readers[subject](fs.readFileSync(input));
const found = { cpu: [], wall: [], counts: [] };
let result;
for (let number = 0; number < Number(warm) + Number(rounds); number++) {
  result = undefined;
  if (writers[subject]) {
    fs.rmSync(option('--to'), { recursive: true, force: true });
    fs.mkdirSync(option('--to'), { recursive: true });
  }
  globalThis.gc?.();
  if (number === 0) fs.writeFileSync('/proc/self/clear_refs', '5');
  const before = memory('VmRSS');
  const cpu = process.cpuUsage();
  const wall = process.hrtime.bigint();
  result = await work();
  const took = process.cpuUsage(cpu);
  if (number === 0) {
    found.peak_kib = memory('VmHWM');
    found.growth_kib = found.peak_kib - before;
  }
  if (number >= Number(warm)) {
    found.cpu.push((took.user + took.system) / 1e6);
    found.wall.push(Number(process.hrtime.bigint() - wall) / 1e9);
  }
  if (!found.counts.includes(result.length)) found.counts.push(result.length);
}
if (option('--answer') && answers[subject]) {
  const [head, lines] = answers[subject](result);
  fs.writeFileSync(option('--answer'), [head, ...lines.map((line) => line.join('\t'))].join('\n') + '\n');
}
console.log(JSON.stringify(found));
