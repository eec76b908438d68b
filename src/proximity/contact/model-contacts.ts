// What contact queries derive from a model and keep on it.
import type { Part } from '../../core/derived-parts.js';
import { OUTWARD_SURFACE } from '../model-parts.js';
import type { ProximityModel } from '../proximity-model.js';
import { ContactFinder } from './contact-finder.js';
import { buildContactSurface, type ContactSurface } from './contact-surface.js';

/** What the contact queries know about each edge and vertex, with the cones of normals around boxes and hulls. */
export const CONTACT_SURFACE: Part<ProximityModel, ContactSurface> = {
  name: 'contact surface',
  make: ({ parts, closed }) => buildContactSurface(parts.get(OUTWARD_SURFACE).mesh, closed),
};

/** Finds the contacts between two models. */
export function createContactFinder(a: ProximityModel, b: ProximityModel): ContactFinder {
  return new ContactFinder(a.parts.get(CONTACT_SURFACE), b.parts.get(CONTACT_SURFACE));
}
