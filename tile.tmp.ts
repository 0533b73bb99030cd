import sharp from 'sharp';
import { launchBrowser } from './deploy/testing/browser.ts';
const [out, scheme, lang, ...names] = process.argv.slice(2);
const { samplePages } = await import('./redirector/pages/testing/samples.ts');
const { sampleVerificationPages } = await import('./redirector/pages/verification/testing/samples.ts');
const { sampleBrandedPages } = await import('./redirector/pages/testing/branded-samples.ts');
const all: any = { ...samplePages(lang as any), ...Object.fromEntries(Object.entries(sampleVerificationPages()).map(([k,v])=>['v-'+k,v])), ...Object.fromEntries(Object.entries(sampleBrandedPages()).map(([k,v])=>['b-'+k,v])) };
const b = (await launchBrowser())!;
const ctx = await b.newContext({ viewport: { width: 360, height: 700 }, colorScheme: scheme as any, locale: lang });
const page = await ctx.newPage();
const shots: Buffer[] = [];
for (const n of names) { if(!all[n]) { console.log('no', n, Object.keys(all).join(' ')); continue; } await page.setContent(all[n].body.toString()); await page.evaluate("for (const b of document.querySelectorAll('[data-copy]')) b.hidden=false"); shots.push(await page.screenshot({ fullPage: true })); }
const metas = await Promise.all(shots.map(s => sharp(s).metadata()));
const h = Math.min(1100, Math.max(...metas.map(m => m.height!)));
await sharp({ create: { width: shots.length * 376, height: h, channels: 3, background: '#888' } }).composite(await Promise.all(shots.map(async (s, i) => ({ input: metas[i]!.height! > h ? await sharp(s).extract({ left: 0, top: 0, width: 360, height: h }).toBuffer() : s, left: i * 376, top: 0 })))).png().toFile(out!);
await b.close();
