/** A deliberate defect in the renderer, which a test must detect. */
export interface Defect {
  readonly name: string;
  /** Below src/local-service/rendering. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Visible defects. */
export const PICTURE_DEFECTS: readonly Defect[] = [
  {
    name: 'no subtitles',
    file: 'scenes/title-scene.ts',
    find: 'if (subtitle) {',
    replace: 'if (subtitle && top < 0) {',
  },
  {
    name: 'no bar over titles',
    file: 'scenes/title-scene.ts',
    find: 'list.box(area, ornament.colour, 1);',
    replace: '',
  },
  {
    name: 'no captions',
    file: 'scenes/lay-out.ts',
    find: 'caption.draw(list, moment);',
    replace: '',
  },
  {
    name: 'captions over the scene',
    file: 'scenes/lay-out.ts',
    find: 'layout.safe.height - (caption?.height ?? 0)',
    replace: 'layout.safe.height',
  },
  {
    name: 'captions without a plate',
    file: 'captions/caption-plate.ts',
    find: 'context.fill();',
    replace: '',
  },
  {
    name: 'lists of one item',
    file: 'scenes/list-scene.ts',
    find: 'of rows.entries()) {',
    replace: 'of rows.slice(0, 1).entries()) {',
  },
  {
    name: 'list numbers from 0',
    file: 'scenes/list-columns.ts',
    find: 'String(index + 1)',
    replace: 'String(index)',
  },
  {
    name: 'no lines between items',
    file: 'scenes/list-scene.ts',
    find: 'if (index > 0 && look.list.lines) lines.push(',
    replace: 'if (index > 99) lines.push(',
  },
  {
    name: 'no list headings',
    file: 'scenes/list-scene.ts',
    find: 'drawings.push(arriving(heading, place, layout, 0));',
    replace: 'void place;',
  },
  {
    name: 'all items arrive at once',
    file: 'scenes/list-scene.ts',
    find: 'const ITEM_DELAY = 0.16;',
    replace: 'const ITEM_DELAY = 0;',
  },
  {
    name: 'no text headings',
    file: 'scenes/text-scene.ts',
    find: 'if (heading) drawings.push(',
    replace: 'if (heading && top < 0) drawings.push(',
  },
  {
    name: 'quotes without a name',
    file: 'scenes/quote-scene.ts',
    find: 'const y = textTop + text.height + gap.by;',
    replace: 'const y = -1000;',
  },
  {
    name: 'no quotation marks',
    file: 'scenes/quote-scene.ts',
    find: 'context.fillStyle = palette.accent;',
    replace: "context.fillStyle = 'transparent';",
  },
  {
    name: 'quotes without serifs',
    file: 'fonts.ts',
    find: '`"Spool Serif", "Spool Serif Extended", ${SANS}`',
    replace: 'SANS',
  },
  {
    name: 'countdown counts up',
    file: 'scenes/countdown-scene.ts',
    find: 'String(scene.from - i)',
    replace: 'String(i + 1)',
  },
  {
    name: 'countdown stands still',
    file: 'scenes/countdown-scene.ts',
    find: 'const index = Math.floor(passed);',
    replace: 'const index = 0;',
  },
  {
    name: 'ring fills instead of running out',
    file: 'scenes/countdown-scene.ts',
    find: 'part: 1 - progress }',
    replace: 'part: progress }',
  },
  {
    name: 'no text under countdowns',
    file: 'scenes/countdown-scene.ts',
    find: 'lines?.draw(list, moment);',
    replace: '',
  },
  {
    name: 'images stand still',
    file: 'ground.ts',
    find: 'seconds - first / storyboard.fps, pane)',
    replace: '0, pane)',
  },
  {
    name: 'images off the middle',
    file: 'picture-backdrop.ts',
    find: 'height / image.height) / MOSTLY);',
    replace: 'height / image.height) / MOSTLY, 0);',
  },
  {
    name: 'every image fills the frame',
    file: 'ground.ts',
    find: 'covers: false,',
    replace: 'covers: true,',
  },
  {
    name: 'galleries of one picture',
    file: 'pages.ts',
    find: 'return images.map(',
    replace: 'return images.slice(0, 1).map(',
  },
  {
    name: 'slides go the other way',
    file: 'page-transition.ts',
    find: 'list.shifted(left * across, left * down',
    replace: 'list.shifted(-left * across, left * down',
  },
  {
    name: 'slides forget the scene before',
    file: 'page-transition.ts',
    find: 'list.faded(isShared ? leaving(passed) : 1, () => draw(under));',
    replace: 'void [isShared, under];',
  },
  {
    name: 'a text that leaves is read with the next one',
    file: 'page-transition.ts',
    find: 'return 1 - linear(LEAVING_PACE * passed);',
    replace: 'return 1 - 0 * linear(LEAVING_PACE * passed);',
  },
  {
    name: 'titles have as many lines as they need',
    file: 'scenes/title-scene.ts',
    find: 'const MAX_LINES = 3;',
    replace: 'const MAX_LINES = 30;',
  },
  {
    name: 'prices are numbered',
    file: 'scenes/list-columns.ts',
    find: 'programme === undefined && !priced;',
    replace: 'programme === undefined;',
  },
  {
    name: 'lines are drawn larger than their ink',
    file: 'text-layout.ts',
    find: 'const INK_PAD = 0.06;',
    replace: 'const INK_PAD = 0.5;',
  },
  {
    name: 'wipes without an edge',
    file: 'page-transition.ts',
    find: 'if (!look.wipeEdge) return;',
    replace: 'if (look.wipeEdge) return;',
  },
  {
    name: 'wipes show the scene before through',
    file: 'page-transition.ts',
    find: 'list.clipped(right, () => under.drawing.draw(',
    replace: 'list.clipped(zone, () => under.drawing.draw(',
  },
  {
    name: 'transitions take no time',
    file: 'frame-renderer.ts',
    find: 'const OVERLAP_SECONDS = 0.4;',
    replace: 'const OVERLAP_SECONDS = 0.01;',
  },
  {
    name: 'videos begin with an empty frame',
    file: 'frame-renderer.ts',
    find: ': Infinity;',
    replace: ': seconds;',
  },
  {
    name: 'a fade shows two texts through each other',
    file: 'page-transition.ts',
    find: 'list.faded(1 - linear(2 * passed), ',
    replace: 'list.faded(1, ',
  },
  {
    name: 'a fade dims what both scenes share',
    file: 'page-transition.ts',
    find: 'if (repeats) list.faded(',
    replace: 'if (!repeats) list.faded(',
  },
  {
    name: 'figures on flat backgrounds are gone',
    file: 'ground.ts',
    find: 'this.isBehind ? undefined : look.figure;',
    replace: 'undefined;',
  },
  {
    name: 'videos that repeat do not lead over',
    file: 'frame-renderer.ts',
    find: 'if (passed > 0) return',
    replace: 'if (passed > 1) return',
  },
  {
    name: 'long texts are one page',
    file: 'pages.ts',
    find: 'const MAX_PAGE_SECONDS = 12;',
    replace: 'const MAX_PAGE_SECONDS = 120;',
  },
  {
    name: 'lines do not rise',
    file: 'scenes/arrival.ts',
    find: 'const entered = easeOut(passed);',
    replace: 'const entered = 1;',
  },
  {
    name: 'short titles no larger than long ones',
    file: 'layout-context.ts',
    find: '(short + (role.size - short) * part) * g',
    replace: '(role.size + 0 * short * part) * g',
  },
  {
    name: 'text from right to left begins at the left',
    file: 'text-layout.ts',
    find: 'rightToLeft ? slack : 0',
    replace: '0',
  },
  {
    name: 'text from right to left in the wrong order',
    file: 'text-layout.ts',
    find: "rightToLeft ? 'rtl' : 'ltr'",
    replace: "'ltr'",
  },
  {
    name: 'every second line is lost',
    file: 'text-layout.ts',
    find: 'return text.lines.map((line, index) => {',
    replace:
      "return text.lines.map((whole, index) => {\n      const line = index % 2 ? '' : whole;",
  },
  {
    name: 'text a tenth too small',
    file: 'text-layout.ts',
    find: '? sizeFor(smallest, largest, keepsWords)',
    replace: '? sizeFor(smallest, Math.max(smallest, largest * 0.9), keepsWords)',
  },
  {
    name: 'no letter spacing',
    file: 'text-layout.ts',
    find: '(style.tracking ?? 0) * size',
    replace: '0 * size',
  },
  {
    name: 'all text in one weight',
    file: 'text-layout.ts',
    find: '`${style.weight} ${size}px',
    replace: '`400 ${size}px',
  },
  {
    name: 'digits of different widths',
    file: 'text-layout.ts',
    find: `style.tabular ? '"tnum"' : 'normal'`,
    replace: "'normal'",
  },
  {
    name: 'text outside of the safe area is not clipped',
    file: 'text-layout.ts',
    find: 'const left = Math.floor(Math.max(within.x, x - ink.actualBoundingBoxLeft - pad));',
    replace: 'const left = Math.floor(x - ink.actualBoundingBoxLeft - pad);',
  },
  {
    name: 'long text is not made smaller',
    file: 'text-layout.ts',
    find: 'const size = Math.min(best, limits.width / Math.max(widest, 1e-6));',
    replace: 'const size = limits.largest + 0 * widest;',
  },
  {
    name: 'no emoji font',
    file: 'fonts.ts',
    find: ', "Spool Emoji", sans-serif',
    replace: ', sans-serif',
  },
  {
    name: 'no Arabic font',
    file: 'fonts.ts',
    find: '"Spool Arabic", ',
    replace: '',
  },
  {
    name: 'no light on the background',
    file: 'backdrop.ts',
    find: 'context.drawImage(this.#glow, x - radius, y - radius, 2 * radius, 2 * radius);',
    replace: 'void [x, y, radius];',
  },
  {
    name: 'the light stands still',
    file: 'backdrop.ts',
    find: 'this.#phase + seconds / 26',
    replace: 'this.#phase + 0 * seconds',
  },
  {
    name: 'no grain',
    file: 'backdrop.ts',
    find: 'if (this.#noise) context.drawImage(this.#noise, 0, 0);',
    replace: '',
  },
  {
    name: 'the theme’s background is ignored',
    file: 'palette.ts',
    find: 'theme.background ?? DEFAULT_BACKGROUND',
    replace: 'DEFAULT_BACKGROUND',
  },
  {
    name: 'the theme’s accent is ignored',
    file: 'palette.ts',
    find: 'theme.accent ?? DEFAULT_ACCENT',
    replace: 'DEFAULT_ACCENT',
  },
  {
    name: 'removed content stays visible',
    file: 'frame-buffer.ts',
    find: 'if (then) add(clippedArea(then));',
    replace: '',
  },
  {
    name: 'rows that changed are not converted',
    file: 'yuv-picture.ts',
    find: 'changed.y + changed.height + 1 - y) & ~1',
    replace: 'changed.y + changed.height / 2 - y) & ~1',
  },
  {
    name: 'colours converted by BT.601',
    file: 'yuv-picture.ts',
    find: '(11966 * red + 40254 * green + 4064 * blue + LUMA_OFFSET)',
    replace: '(16843 * red + 33030 * green + 6423 * blue + LUMA_OFFSET)',
  },
  {
    name: 'red and blue exchanged',
    file: 'yuv-picture.ts',
    find: 'planes[cb++] = (-6596 * red - 22189 * green + 28784 * blue',
    replace: 'planes[cb++] = (-6596 * blue - 22189 * green + 28784 * red',
  },
  {
    name: 'colours tagged as BT.601',
    file: 'picture-encoder.ts',
    find: "transfer: 'bt709', matrix: 'bt709'",
    replace: "transfer: 'bt709', matrix: 'smpte170m'",
  },
  {
    name: 'a twentieth of the bit rate',
    file: 'bitrate.ts',
    find: 'Math.round(3_500_000 *',
    replace: 'Math.round(175_000 *',
  },
  {
    name: 'text under the buttons of apps',
    file: 'layout-context.ts',
    find: 'top: 0.14, bottom: 0.25 }',
    replace: 'top: 0.14, bottom: 0.1 }',
  },
  {
    name: 'text under the buttons at the right of apps',
    file: 'layout-context.ts',
    find: '{ left: 0.06, right: 0.14,',
    replace: '{ left: 0.06, right: 0.12,',
  },
  {
    name: 'pale text cannot be read',
    file: 'palette.ts',
    find: 'const PALE_TEXT = 4.8;',
    replace: 'const PALE_TEXT = 3;',
  },
  {
    name: 'text over the picture beside it',
    file: 'layout-context.ts',
    find: 'Math.floor(pane.x - gutter - safe.x)',
    replace: 'safe.width',
  },
  {
    name: 'text over a wide picture in an upright frame',
    file: 'picture-backdrop.ts',
    find: '  return { ...all, y: bandEnd, height: height - bandEnd };\n}',
    replace: '  return all;\n}',
  },
  {
    name: 'a wide picture has an edge',
    file: 'picture-backdrop.ts',
    find: "context.globalCompositeOperation = 'destination-out';",
    replace: 'context.globalAlpha = 0;',
  },
  {
    name: 'cut-outs keep their margins',
    file: 'picture-backdrop.ts',
    find: 'const from = [subject.x, subject.y, subject.width, subject.height] as const;',
    replace: 'const from = [0, 0, image.width, image.height] as const;',
  },
  {
    name: 'pictures stop after some seconds',
    file: 'picture-backdrop.ts',
    find: 'Math.cos((seconds / this.#length) * turns * Math.PI)',
    replace: 'Math.cos(Math.min(1, (seconds / this.#length) * turns) * Math.PI)',
  },
  {
    name: 'no line shows whose turn it is',
    file: 'scenes/list-scene.ts',
    find: 'if (!layout.isStill) drawings.push(turnLine(ends));',
    replace: 'void turnLine(ends);',
  },
  {
    name: 'more hyphens than there must be',
    file: 'text-layout.ts',
    find: '.hyphenCost + 1 - size / most',
    replace: '.hyphenCost * 0 + 1 - size / most',
  },
  {
    name: 'no darkening under text',
    file: 'scenes/over-picture.ts',
    find: 'if (opacity === 0) return scene;',
    replace: 'if (opacity < 2) return scene;',
  },
  {
    name: 'every look has the same transition',
    file: 'timeline.ts',
    find: 'each !== previous.transition',
    replace: 'each !== undefined',
  },
  {
    name: 'reduced motion still moves',
    file: 'backdrop.ts',
    find: 'this.#glow !== undefined && !this.#isStill',
    replace: 'this.#glow !== undefined',
  },
  {
    name: 'prices at the left',
    file: 'scenes/list-scene.ts',
    find: 'isEnd === rightToLeft ? 0 : width - text.width',
    replace: '0 * Number(isEnd)',
  },
  {
    name: 'all items of a lesson are clear',
    file: 'scenes/list-scene.ts',
    find: 'Math.max(1 - begun, on * (1 - over), all)',
    replace: '1 + 0 * Math.max(begun, on, over, all)',
  },
  {
    name: 'all words of a quote are lit',
    file: 'scenes/arrival.ts',
    find: 'shown * (pale + (1 - pale) * lit)',
    replace: 'shown + 0 * lit',
  },
  {
    name: 'a poster’s words keep one size',
    file: 'scenes/filling-title.ts',
    find: 'if (words.length > MAX_WORDS) return undefined;',
    replace: 'if (words.length > 0) return undefined;',
  },
  {
    name: 'the glow has the accent’s hue whatever the background’s',
    file: 'palette.ts',
    find: 'const MAX_TURN = 25;',
    replace: 'const MAX_TURN = 180;',
  },
  {
    name: 'small texts are not named',
    file: 'layout-check.ts',
    find: "if (size < least) kinds.set(text, 'too-long');",
    replace: "if (size < 0) kinds.set(text, 'too-long');",
  },
  {
    name: 'colours with too little contrast are not named',
    file: 'layout-check.ts',
    find: '    ...changed(theme.text, text, AA_TEXT),\n',
    replace: '',
  },
  {
    name: 'a preview shows another picture than the video',
    file: 'frame-preview.ts',
    find: '{ ...task.storyboard, resolution: FRAME_LINES }',
    replace: "{ ...task.storyboard, resolution: FRAME_LINES, motion: 'reduced' as const }",
  },
  {
    name: 'the poster is the first frame',
    file: 'frame-renderer.ts',
    find: 'const last = fullest.first + fullest.frames - 1;',
    replace: 'const last = 0 * fullest.first;',
  },
];

/** Defects in how sounds of the user's own are mixed. */
export const MEDIA_DEFECTS: readonly Defect[] = [
  {
    name: 'no ducking',
    file: 'media/ducking.ts',
    find: 'const DEPTH = -12;',
    replace: 'const DEPTH = 0;',
  },
  {
    name: 'music stays low after the voice',
    file: 'media/ducking.ts',
    find: 'Math.min(0, level - DEPTH / RELEASE_STEPS)',
    replace: 'level',
  },
  {
    name: 'the voice is left out',
    file: 'soundtrack.ts',
    find: `voice,
  ]);`,
    replace: ']);',
  },
  {
    name: 'the voice does not lower clips',
    file: 'soundtrack.ts',
    find: 'under(mixed(clips.map(({ part }) => part)), voice)',
    replace: 'mixed(clips.map(({ part }) => part))',
  },
  {
    name: 'clips do not lower music',
    file: 'soundtrack.ts',
    find: 'mixed([voice, inFront])',
    replace: 'voice',
  },
  {
    name: 'clips beside music are as loud as it',
    file: 'soundtrack.ts',
    find: 'isBeside ? clip.sound : 0',
    replace: '0',
  },
  {
    name: 'sound of clips 20 ms late',
    file: 'media/clip-sounds.ts',
    find: 'Math.round(start * LOUDNESS_RATE)',
    replace: 'Math.round((start + 0.02) * LOUDNESS_RATE)',
  },
  {
    name: 'sound from the beginning of a clip, whatever part is shown',
    file: 'media/clip-reader.ts',
    find: 'const range = { from: this.#start,',
    replace: 'const range = { from: 0,',
  },
  {
    name: 'clips heard once, and seen repeated',
    file: 'media/clip-sounds.ts',
    find: "end === 'loop' ?",
    replace: "end === 'cut' ?",
  },
  {
    name: 'a click where a clip repeats',
    file: 'media/clip-sounds.ts',
    find: 'LOUDNESS_RATE / 100;',
    replace: '1;',
  },
  {
    name: 'a click where music begins again',
    file: 'soundtrack.ts',
    find: 'const SEAM_SECONDS = 0.5;',
    replace: 'const SEAM_SECONDS = 0;',
  },
  {
    name: 'videos end before their voice',
    file: 'render-to-files.ts',
    find: 'if (isFixed || costOf(storyboard).seconds >= needed)',
    replace: 'if (isFixed || costOf(storyboard).seconds >= 0 * needed)',
  },
  {
    name: 'MP3 without its delay',
    file: 'media/decode-sound.ts',
    find: 'MP3: 1105',
    replace: 'MP3: 0',
  },
  {
    name: 'Opus without its delay',
    file: 'media/decode-sound.ts',
    find: 'OPUS_DELAY = 312',
    replace: 'OPUS_DELAY = 0',
  },
];

/** Defects of the user's own fonts. */
export const FONT_DEFECTS: readonly Defect[] = [
  {
    name: 'the font is left out',
    file: 'stage.ts',
    find: 'storyboard.language), onFit, own);',
    replace: 'storyboard.language), onFit, own && undefined);',
  },
  {
    name: 'captions in the font',
    file: 'text-layout.ts',
    find: "face === 'caption' ? undefined : this.#own",
    replace: 'face ? this.#own : undefined',
  },
  {
    name: 'letters that nobody sees',
    file: 'own-font.ts',
    find: 'if (isSeen) return;',
    replace: 'if (isSeen || letters > 0) return;',
  },
  {
    name: 'fonts stay in memory',
    file: 'own-font.ts',
    find: '[Symbol.dispose]: () => GlobalFonts.remove(key)',
    replace: '[Symbol.dispose]: () => key',
  },
];

/** Defects of captions. */
export const CAPTION_DEFECTS: readonly Defect[] = [
  {
    name: 'captions one frame late',
    file: 'captions/caption-track.ts',
    find: 'first: Math.round(from * fps),',
    replace: 'first: Math.round(from * fps) + 1,',
  },
  {
    name: 'captions stay one frame too long',
    file: 'captions/caption-track.ts',
    find: 'frame >= first && frame < end',
    replace: 'frame >= first && frame <= end',
  },
  {
    name: 'other text behind captions',
    file: 'stage.ts',
    find: 'storyboard.captions === undefined ? safe',
    replace: 'storyboard.title !== undefined ? safe',
  },
  {
    name: 'pages rise through captions',
    file: 'timeline.ts',
    find: "!(each === 'rise' && captions !== undefined)",
    replace: 'true',
  },
  {
    name: 'captions of three lines',
    file: 'captions/caption-track.ts',
    find: 'const MAX_LINES = 2;',
    replace: 'const MAX_LINES = 3;',
  },
  {
    name: 'long captions are set small',
    file: 'captions/caption-track.ts',
    find: '!isTooSmall(fitted, this.#layout)',
    replace: 'fitted.size > 0',
  },
  {
    name: 'only one of two captions at a time',
    file: 'captions/caption-times.ts',
    find: "const text = shown.map((each) => each.text).join('\\n');",
    replace: "const text = shown[0]?.text ?? '';",
  },
  {
    name: 'captions while the voice is silent',
    file: 'captions/caption-times.ts',
    find: 'endAt: (at) => inVideo((spoken[at - 1] ?? 0) + 1),',
    replace: 'endAt: (at) => inVideo(spoken[at] ?? seconds * STEPS_PER_SECOND),',
  },
  {
    name: 'videos end before their captions',
    file: 'pages.ts',
    find: 'isFixed || sum(lengths) >= needed',
    replace: 'isFixed || sum(lengths) >= 0 * needed',
  },
];

/** Defects of the times in a file. */
export const TIMING_DEFECTS: readonly Defect[] = [
  {
    name: 'pictures one frame late in the file',
    file: 'picture-encoder.ts',
    find: 'onPacket(packetOf(chunk, frame / fps,',
    replace: 'onPacket(packetOf(chunk, (frame + 1) / fps,',
  },
  {
    name: 'pictures one frame late as drawn',
    file: 'render-to-files.ts',
    find: 'await renderer.draw(framesDone)',
    replace: 'await renderer.draw(Math.max(0, framesDone - 1))',
  },
  {
    name: 'a frame rate of 25 in the file',
    file: 'picture-encoder.ts',
    find: 'onPacket(packetOf(chunk, frame / fps, 1 / fps)',
    replace: 'onPacket(packetOf(chunk, frame / 25, 1 / 25)',
  },
  {
    name: 'one key frame only',
    file: 'mp4-writer.ts',
    find: 'this.#pictures % (fps * SECONDS_BETWEEN_KEY_FRAMES) === 0',
    replace: 'this.#pictures === 0',
  },
  {
    name: 'a key frame in 20 seconds',
    file: 'mp4-writer.ts',
    find: 'const SECONDS_BETWEEN_KEY_FRAMES = 2;',
    replace: 'const SECONDS_BETWEEN_KEY_FRAMES = 20;',
  },
  {
    name: 'sound later by the delay of its encoder',
    file: 'sound-encoder.ts',
    find: 'const DELAY = 1024;',
    replace: 'const DELAY = 0;',
  },
  {
    name: 'sound 40 ms early',
    file: 'sound-encoder.ts',
    find: 'data: this.#sound.block(this.#samples, count)',
    replace: 'data: this.#sound.block(this.#samples + 1920, count)',
  },
  {
    name: 'sound 50 ms late',
    file: 'sound-encoder.ts',
    find: 'data: this.#sound.block(this.#samples, count)',
    replace: 'data: this.#sound.block(this.#samples - 2400, count)',
  },
  {
    name: 'sound as long as its packets',
    file: 'sound-encoder.ts',
    find: 'Math.min(FRAME, length - start)',
    replace: 'FRAME',
  },
];

/** Audible defects. */
export const SOUND_DEFECTS: readonly Defect[] = [
  {
    name: 'a silent right channel',
    file: 'soundtrack.ts',
    find: 'samples[count + i] = loop.right[place] ?? 0;',
    replace: '',
  },
  {
    name: 'a silent left channel',
    file: 'loop-mixer.ts',
    find: 'left: scaled(this.#left, scale)',
    replace: 'left: scaled(this.#left, 0)',
  },
  {
    name: 'the same on both sides',
    file: 'soundtrack.ts',
    find: '= loop.right[place] ?? 0',
    replace: '= loop.left[place] ?? 0',
  },
  {
    name: 'one side half as loud',
    file: 'loop-mixer.ts',
    find: 'right: scaled(this.#right, scale)',
    replace: 'right: scaled(this.#right, scale / 2)',
  },
  {
    name: 'sides exchanged in the mixer',
    file: 'loop-mixer.ts',
    find: '[gain * Math.cos(angle), gain * Math.sin(angle)]',
    replace: '[gain * Math.sin(angle), gain * Math.cos(angle)]',
  },
  {
    name: 'no stereo',
    file: 'loop-mixer.ts',
    find: 'Math.min(1, Math.max(-1, side))',
    replace: '0 * side',
  },
  {
    name: 'peaks above the ceiling',
    file: 'mastering.ts',
    find: 'Math.min(1, ceiling / (peak * gain || 1e-9))',
    replace: '1 + 0 * ceiling * peak',
  },
  {
    name: '2 dB quieter',
    file: 'mastering.ts',
    find: 'TARGET_LOUDNESS = -14;',
    replace: 'TARGET_LOUDNESS = -16;',
  },
  {
    name: 'loudness without the weighting of the ear',
    file: 'loudness.ts',
    find: 'const heard = c0 * shelved + h1;',
    replace: 'const heard = sample + 0 * (c0 + h1);',
  },
  {
    name: 'loudness without a gate',
    file: 'loudness.ts',
    find: 'const RELATIVE_GATE = -10;',
    replace: 'const RELATIVE_GATE = -100;',
  },
  {
    name: 'not levelled',
    file: 'loop-mixer.ts',
    find: 'const scale = peak / Math.max(1e-9, peakOf(this.#left), peakOf(this.#right));',
    replace: 'const scale = peak + 0 * peakOf(this.#left);',
  },
  {
    name: 'levelled by one side only',
    file: 'loop-mixer.ts',
    find: 'Math.max(1e-9, peakOf(this.#left), peakOf(this.#right))',
    replace: 'Math.max(1e-9, peakOf(this.#right))',
  },
  {
    name: 'no fade in',
    file: 'soundtrack.ts',
    find: 'Math.min(1, sample / fadeIn,',
    replace: 'Math.min(1, 1 + 0 * fadeIn,',
  },
  {
    name: 'no fade out',
    file: 'soundtrack.ts',
    find: '(length - sample) / fadeOut)',
    replace: '1 + 0 * fadeOut)',
  },
  {
    name: 'one loop and then silence',
    file: 'soundtrack.ts',
    find: 'const place = (start + i) % loop.left.length;',
    replace: 'const place = start + i;',
  },
  {
    name: 'notes end with the loop',
    file: 'loop-mixer.ts',
    find: 'place = place + 1 === left.length ? 0 : place + 1;',
    replace: 'place += 1;',
  },
  {
    name: 'echoes end with the loop',
    file: 'loop-mixer.ts',
    find: 'i < length * 2',
    replace: 'i < length',
  },
  {
    name: 'no echo',
    file: 'loop-mixer.ts',
    find: 'const fromRight = feedback',
    replace: 'feedback = 0;\n      const fromRight = feedback',
  },
  {
    name: 'echoes stay on their side',
    file: 'loop-mixer.ts',
    find: 'left[here] = (dryLeft[here] ?? 0) + fromRight;',
    replace: 'left[here] = (dryLeft[here] ?? 0) + fromLeft;',
  },
  {
    name: 'sounds begin with the loop',
    file: 'loop-mixer.ts',
    find: 'Math.round(start * this.#rate) % left.length',
    replace: '0 * start',
  },
  {
    name: 'no chords',
    file: 'music.ts',
    find: 'composer.playChord(',
    replace: 'if (start < 0) composer.playChord(',
  },
  {
    name: 'no bass',
    file: 'music.ts',
    find: 'composer.playBass(',
    replace: 'if (start < 0) composer.playBass(',
  },
  {
    name: 'no tune',
    file: 'music.ts',
    find: 'composer.playMelody(',
    replace: 'if (start < 0) composer.playMelody(',
  },
  {
    name: 'no drum and no brush',
    file: 'music.ts',
    find: 'composer.playBeat(start);',
    replace: '',
  },
  {
    name: 'an octave too high',
    file: 'music.ts',
    find: 'return 60 + key',
    replace: 'return 72 + key',
  },
  {
    name: 'every title has the same music',
    file: 'soundtrack.ts',
    find: 'seedOf(title)',
    replace: '1',
  },
];

/** Defects in the limits of untrusted requests. */
export const LIMIT_DEFECTS: readonly Defect[] = [
  {
    name: 'no limit of pixels and seconds',
    file: 'storyboard.ts',
    find: 'if (pixels * seconds > MAX_PIXEL_SECONDS) {',
    replace: 'if (pixels * seconds > Infinity) {',
  },
  {
    name: 'no limit of an image’s pixels',
    file: 'image-limits.ts',
    find: 'if (pixels <= MAX_IMAGE_PIXELS) return undefined;',
    replace: 'return undefined;',
  },
  {
    name: 'no limit of all images’ pixels',
    file: 'image-limits.ts',
    find: 'if (total > MAX_STORYBOARD_PIXELS) {',
    replace: 'if (total > Infinity) {',
  },
  {
    name: 'an upload is not looked at again before it is decoded',
    file: 'image-source.ts',
    find: 'if (issue !== undefined) throw new Error(issue);',
    replace: '',
  },
];
