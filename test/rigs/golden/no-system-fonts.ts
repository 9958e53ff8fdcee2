/**
 * Import this before the canvas library: it then has the bundled fonts only, so that pictures do
 * not depend on a computer's fonts, and text that needs other fonts shows as empty boxes.
 */
process.env.DISABLE_SYSTEM_FONTS_LOAD = '1';
