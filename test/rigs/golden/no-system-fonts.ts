/**
 * Import this before anything that imports the canvas: it then has the bundled fonts only, so that
 * a picture depends on no computer's own fonts, and text that needs one shows as empty boxes.
 */
process.env.DISABLE_SYSTEM_FONTS_LOAD = '1';
