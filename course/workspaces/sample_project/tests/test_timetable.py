import unittest

from harbour.timetable import next_departure


class NextDeparture(unittest.TestCase):
    def test_the_first_one_that_is_not_gone(self):
        self.assertEqual(next_departure("Ulvik", "08:00"), "09:40")

    def test_none_in_the_evening(self):
        self.assertIsNone(next_departure("Bruravik", "20:00"))


if __name__ == "__main__":
    unittest.main()
