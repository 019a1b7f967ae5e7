/** The logo. */
export function Wave() {
  return (
    <svg
      viewBox="0 0 80 16"
      preserveAspectRatio="none"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    >
      <path d="M0 6q10-8 20 0t20 0 20 0 20 0" />
      <path d="M0 12q10-8 20 0t20 0 20 0 20 0" opacity=".4" />
    </svg>
  );
}
