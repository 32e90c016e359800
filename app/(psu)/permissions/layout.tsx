import { OwnDocument } from "../own-channel-page";

export default OwnDocument;
