import { forProject, readFailure } from "@/app/api/v1/reads";

export const GET = readFailure(forProject);
