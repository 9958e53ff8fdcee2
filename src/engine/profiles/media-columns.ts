/** The columns of clips and sounds, and what a scene of a storyboard has of a clip. */
import type { RequestTemplate } from '../intake/request-template.ts';

export const mediaColumns: RequestTemplate['columns'] = {
  clip: {
    label: { en: 'Clip', de: 'Videoclip' },
    description: {
      en: 'Behind every scene, instead of the picture: MP4, MOV or WebM',
      de: 'Hinter jeder Szene, statt des Bildes: MP4, MOV oder WebM',
    },
    type: 'picture',
    holds: 'clip',
    send: 'upload',
    aliases: ['video clip', 'footage', 'background video', 'videoclip', 'videodatei'],
  },
  'clip from': {
    label: { en: 'Clip from', de: 'Videoclip ab' },
    description: {
      en: 'Where the clip begins, in seconds or as 1:30',
      de: 'Wo der Videoclip beginnt, in Sekunden oder als 1:30',
    },
    type: 'number',
    unit: 'time',
    min: 0,
    max: 86_400,
    aliases: ['clip start', 'videoclip ab', 'videoclip von'],
  },
  'clip to': {
    label: { en: 'Clip to', de: 'Videoclip bis' },
    description: {
      en: 'Where the clip ends; at most 120 seconds are shown',
      de: 'Wo der Videoclip endet; gezeigt werden höchstens 120 Sekunden',
    },
    type: 'number',
    unit: 'time',
    min: 0,
    max: 86_520,
    aliases: ['videoclip bis'],
  },
  'clip fit': {
    label: { en: 'Clip fit', de: 'Videoclip einpassen' },
    description: {
      en: 'Cropped to the frame, or whole in front of a blurred copy',
      de: 'Auf das Format beschnitten oder ganz vor einer unscharfen Kopie',
    },
    type: 'choice',
    options: ['cover', 'contain'],
    optionLabels: {
      cover: { en: 'Cropped', de: 'Beschnitten' },
      contain: { en: 'Whole', de: 'Ganz' },
    },
    default: 'cover',
    aliases: ['videoclip einpassen'],
    spellings: { crop: 'cover', whole: 'contain', beschnitten: 'cover', ganz: 'contain' },
  },
  'clip focus': {
    label: { en: 'Clip focus', de: 'Videoclip-Ausschnitt' },
    description: {
      en: 'What a cropped clip keeps: middle, left, right, top or bottom',
      de: 'Was ein beschnittener Videoclip behält: Mitte, links, rechts, oben oder unten',
    },
    type: 'choice',
    options: ['50% 50%', '0% 50%', '100% 50%', '50% 0%', '50% 100%'],
    optionLabels: {
      '50% 50%': { en: 'Middle', de: 'Mitte' },
      '0% 50%': { en: 'Left', de: 'Links' },
      '100% 50%': { en: 'Right', de: 'Rechts' },
      '50% 0%': { en: 'Top', de: 'Oben' },
      '50% 100%': { en: 'Bottom', de: 'Unten' },
    },
    default: '50% 50%',
    aliases: ['videoclip-ausschnitt', 'videoclip ausschnitt'],
    spellings: {
      middle: '50% 50%',
      centre: '50% 50%',
      center: '50% 50%',
      left: '0% 50%',
      right: '100% 50%',
      top: '50% 0%',
      bottom: '50% 100%',
      mitte: '50% 50%',
      links: '0% 50%',
      rechts: '100% 50%',
      oben: '50% 0%',
      unten: '50% 100%',
    },
  },
  'clip end': {
    label: { en: 'Clip end', de: 'Nach dem Videoclip' },
    description: {
      en: 'If the video lasts longer: the clip again, its last frame, or no clip',
      de: 'Wenn das Video länger dauert: von vorn, letztes Bild oder kein Videoclip',
    },
    type: 'choice',
    options: ['loop', 'hold', 'cut'],
    optionLabels: {
      loop: { en: 'Repeat', de: 'Von vorn' },
      hold: { en: 'Hold the last frame', de: 'Letztes Bild halten' },
      cut: { en: 'End', de: 'Beenden' },
    },
    default: 'loop',
    aliases: ['nach dem videoclip'],
    spellings: { repeat: 'loop', freeze: 'hold', wiederholen: 'loop', halten: 'hold' },
  },
  'music file': {
    label: { en: 'Music file', de: 'Musikdatei' },
    description: {
      en: 'Instead of the soundtrack: MP3, M4A, WAV, OGG or WebM',
      de: 'Statt der Musik von Spool: MP3, M4A, WAV, OGG oder WebM',
    },
    type: 'picture',
    holds: 'sound',
    send: 'upload',
    aliases: ['own music', 'song', 'musikdatei', 'eigene musik', 'lied'],
  },
  voice: {
    label: { en: 'Voice', de: 'Sprachaufnahme' },
    description: {
      en: 'Over the whole video: MP3, M4A, WAV, OGG or WebM. Music is lower meanwhile.',
      de: 'Über dem ganzen Video: MP3, M4A, WAV, OGG oder WebM. Musik ist währenddessen leiser.',
    },
    type: 'picture',
    holds: 'sound',
    send: 'upload',
    aliases: [
      'voice over',
      'voiceover',
      'narration',
      'sprecher',
      'sprecherin',
      'stimme',
      'sprecherstimme',
    ],
  },
};

/** Of every scene. A clip continues over scenes that follow each other. */
export const background = {
  $if: 'clip',
  asset: '{{clip}}',
  from: '{{clip from}}',
  to: '{{clip to}}',
  fit: '{{clip fit}}',
  focus: '{{clip focus}}',
  end: '{{clip end}}',
};
