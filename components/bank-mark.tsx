/** Two towers and the bridge between them, half lowered. */
export function BankMark() {
  return (
    <svg className="size-8" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="fill-brand" width="32" height="32" rx="7" />
      <path
        className="fill-none stroke-on-brand stroke-[2.4]"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M8 25V9h4v16M20 25V9h4v16M5.500 25h21M12 17.500l8-6.500M12 21h8"
      />
    </svg>
  );
}
