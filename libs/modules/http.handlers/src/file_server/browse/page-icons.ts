/** Paths of the icons of listing pages, in a square of 24. */
export const iconShapes: Readonly<Record<string, string>> = {
  home: 'M3 11 12 4l9 7M5 10v10h14V10',
  up: 'M12 20V5M6 11l6-6 6 6',
  folder: 'M3 19V5h6l2 3h10v11z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  picture: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5',
};
