"""When the ferries leave."""

DEPARTURES = {
    "Ulvik": ["07:10", "09:40", "16:25"],
    "Bruravik": ["08:00", "12:30"],
    "Kinsarvik": ["10:15", "18:05"],
}


def next_departure(harbour, now):
    """The first departure to a harbour at or after `now` ("HH:MM"); None if there is none today."""
    return next((time for time in DEPARTURES[harbour] if time >= now), None)
