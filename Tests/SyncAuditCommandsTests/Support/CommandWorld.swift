// For all files here: most of them need a world.
@_exported public import CommandWorld
