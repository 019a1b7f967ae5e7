/** SVG paths of the icons in listings, in a square of 24 units. */
export const iconShapes: Readonly<Record<string, string>> = {
  home: 'M3 11 12 4l9 7M5 10v10h14V10',
  up: 'M12 20V5M6 11l6-6 6 6',
  folder: 'M3 19V5h6l2 3h10v11z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  film: 'M3 5h18v14H3zM8 5v14M16 5v14M3 9.5h5M3 14.5h5M16 9.5h5M16 14.5h5',
  sound: 'M9 18V6l11-2v12M9 18a3 2.5 0 1 1-6 0 3 2.5 0 0 1 6 0zM20 16a3 2.5 0 1 1-6 0 3 2.5 0 0 1 6 0z',
  archive: 'M4 8h16v12H4zM3 4h18v4H3zM12 8v3M12 13v3',
  text: 'M6 3h8l4 4v14H6zM9 11h6M9 14h6M9 17h4',
  table: 'M3 5h18v14H3zM3 10h18M3 14.5h18M10 5v14',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  picture: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5',
};
