import { forShare, readFailure } from "@/app/api/v1/reads";

export const GET = readFailure(forShare);
