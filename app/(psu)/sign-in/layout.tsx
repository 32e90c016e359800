export { OwnDocument as default } from "../own-channel-page";
