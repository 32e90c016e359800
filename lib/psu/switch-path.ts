/** Where the forms that switch the language go. */
export const SWITCH_PATH = "/language";
