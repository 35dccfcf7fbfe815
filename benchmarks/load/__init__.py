"""Many players at once, over the public API of a house of its own: ``script/bench load`` (see docs/load.md).

``wire`` speaks HTTP, ``playing`` plays tables and checks them, ``house`` starts and weighs servers, ``runs`` are the
measurements, ``peer`` is boardgame.io measured the same way.
"""
