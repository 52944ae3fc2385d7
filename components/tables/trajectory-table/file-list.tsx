"use client";

import dynamic from "next/dynamic";

/**
 * The list of the trajectories of one file, with scripts of its own: the page of a trajectory lives at the same kind of
 * address, and opens without them.
 */
export const FileList = dynamic(() => import("./trajectory-list").then((found) => found.TrajectoryList));
